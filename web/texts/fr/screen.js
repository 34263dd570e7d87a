// What the big screen says.

export default {};
