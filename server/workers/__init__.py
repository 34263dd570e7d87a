"""Background work: the queue of jobs under leases, and processes of their own, whose crashes leave the server up."""
