import { isAlertId, maxAlertId } from '@pulse/contract'

/**
 * The id of an alert in a form that requests accept. It contains names of containers, devices and jobs, and
 * these can contain any character. Without encoding, such an alert could not be acknowledged. Different texts
 * give different ids.
 */
export function alertIdOf(text: string): string {
  if (text.length <= maxAlertId && isAlertId(text) && text.isWellFormed()) return text
  const tail = `~${hashOf(text)}`
  const shown = text
    .toWellFormed()
    .replaceAll(/\p{Cc}/gu, '\ufffd')
    .replaceAll('../', '..\ufffd')
  return shown.slice(0, maxAlertId - tail.length).toWellFormed() + tail
}

/** Not a cryptographic hash, because it only has to keep names distinct. */
function hashOf(text: string): string {
  let [a, b] = [0x811c9dc5, 0x9e3779b9]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    a = Math.imul(a ^ code, 0x01000193)
    b = Math.imul(b ^ code, 0x85ebca6b)
    b ^= b >>> 13
  }
  return [a, b].map((part) => (part >>> 0).toString(16).padStart(8, '0')).join('')
}
