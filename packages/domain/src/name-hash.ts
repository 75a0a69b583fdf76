/** Not a cryptographic hash, because it only has to keep names distinct. */
export function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
