"""The pure scoring engine: phases, journal, ranking. No framework, no clock, no chance, no files."""
