// Writes Godot 4 values and frames.

const word = number => {
  const bytes = Buffer.alloc(4);
  bytes.writeInt32LE(number);
  return bytes;
};
const padded = bytes => Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3)]);

export const int = number => Buffer.concat([word(2), word(number)]);
export function string(text) {
  const bytes = Buffer.from(text);
  return Buffer.concat([word(4), word(bytes.length), padded(bytes)]);
}
export const array = items => Buffer.concat([word(28), word(items.length), ...items]);
export const dictionary = pairs => Buffer.concat([word(27), word(pairs.length), ...pairs.flat()]);
export const frame = value => Buffer.concat([word(value.length), value]);

// A frame as a game could store it, of about 200 bytes.
export const player = number => frame(dictionary([
  [string('name'), string(`player ${number}`)],
  [string('hp'), int(number % 100)],
  [string('items'), array([string('sword'), string('bow'), int(number)])],
  [string('seen'), array([int(1), int(2), int(3), int(4), int(5), int(6)])],
]));

// Frames of at least `size` bytes.
export function players(size) {
  const frames = [];
  for (let number = 0, length = 0; length < size; number++) {
    frames.push(player(number));
    length += frames.at(-1).length;
  }
  return Buffer.concat(frames);
}
