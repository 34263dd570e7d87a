#!/bin/sh
# The haggle command of the image.
# Without this folder, Python would use /tmp. Processes that were killed leave files behind: delete those after a day,
# but not a running server's copies of editions.
if [ -n "$TMPDIR" ] && mkdir -p -m 700 "$TMPDIR" 2>/dev/null; then
    find "$TMPDIR" -mindepth 1 -maxdepth 1 -name 'haggle-*' ! -name 'haggle-editions-*' -mtime +1 -exec rm -rf {} + 2>/dev/null
fi
exec /opt/haggle/venv/bin/haggle "$@"
