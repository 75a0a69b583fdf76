import { isAlertId, maxAlertId } from '@pulse/contract'
import { hashOf } from '../name-hash.ts'

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
