#!/bin/sh
# The haggle command of the image. -P keeps the current folder off the import path.
export PYTHONPATH=/opt/haggle
# Without the folder Python would take /tmp. What was killed has left something there: after a day nobody uses it.
if [ -n "$TMPDIR" ] && mkdir -p -m 700 "$TMPDIR" 2>/dev/null; then
    find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'haggle-*' -mtime +1 -exec rm -rf {} + 2>/dev/null
fi
exec /opt/haggle/venv/bin/python -P -m server "$@"
