export default { title: "b2v" }
