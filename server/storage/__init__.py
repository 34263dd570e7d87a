"""Files by name, in a folder or in an S3 bucket."""
