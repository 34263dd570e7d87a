// What the players’ page says.

export default {};
