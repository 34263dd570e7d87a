#!/bin/sh
# The haggle command of the image. -P keeps the current folder off the import path.
export PYTHONPATH=/opt/haggle
# Without this folder, Python would use /tmp. Processes that were killed leave files behind: delete those after a day.
if [ -n "$TMPDIR" ] && mkdir -p -m 700 "$TMPDIR" 2>/dev/null; then
    find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'haggle-*' -mtime +1 -exec rm -rf {} + 2>/dev/null
fi
exec /opt/haggle/venv/bin/python -P -m server "$@"
