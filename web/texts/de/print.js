// Filled by the part itself.

export default {};
