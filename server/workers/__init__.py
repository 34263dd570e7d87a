"""Work that runs in processes of its own, so that a crash there leaves the server up."""
