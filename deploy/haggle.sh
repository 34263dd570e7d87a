#!/bin/sh
# The haggle command of the image. -P keeps the current folder off the import path.
export PYTHONPATH=/opt/haggle
exec /opt/haggle/venv/bin/python -P -m server "$@"
