// What pdf.js takes from a canvas when it is loaded, by name: it makes one matrix then, and uses none of them to read words.
exports.DOMMatrix = function DOMMatrix() {}
exports.ImageData = function ImageData() {}
exports.Path2D = function Path2D() {}
