// Bytes as text.

// Decodes hexadecimal or base64. Returns null if the text is neither.
export function decode(text) {
  const compact = text.replace(/0x|[\s,:]/gi, '');
  if (compact && compact.length % 2 === 0 && /^[0-9a-f]+$/i.test(compact)) {
    return Uint8Array.from(compact.match(/../g), digits => parseInt(digits, 16));
  }
  try {
    const binary = atob(text.replace(/\s/g, '').replace(/-/g, '+').replace(/_/g, '/'));
    return Uint8Array.from(binary, char => char.charCodeAt(0));
  } catch {
    return null;
  }
}

// Returns a number with its noun, as in "1 byte" and "2 bytes".
export const counted = (count, noun) => `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

// Formats a number of bytes for people.
export function size(bytes) {
  if (bytes < 10_000) return counted(bytes, 'byte');
  const units = ['kB', 'MB', 'GB'];
  let value = bytes / 1000;
  while (value >= 1000 && units.length > 1) {
    value /= 1000;
    units.shift();
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[0]}`;
}

// Lets the user save a file.
export function download(name, blob) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
