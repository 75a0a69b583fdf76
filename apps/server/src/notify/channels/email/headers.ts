import { eventIdHeader, type Notice } from '@pulse/domain'
import { createHash } from 'node:crypto'

const maxThreads = 10

/**
 * What ties mails together. Every mail has the id of its event, so that a copy is known as one; each episode of an alert
 * has a thread, which its first mail begins and its all-clear answers, whatever else was in either.
 */
export function mailHeaders(notice: Notice, from: string) {
  const domain = /@([a-z0-9.-]+)$/i.exec(from)?.[1] ?? 'pulse.invalid'
  const id = (text: string) => `<${createHash('sha256').update(text).digest('hex').slice(0, 40)}@${domain}>`
  const threads = notice.alerts.slice(0, maxThreads).map(({ alert }) => id(`${alert.id}\n${alert.startTime}`))
  const isAnswer = notice.kind === 'resolved' || notice.kind === 'repeated' || notice.kind === 'escalated'
  return {
    messageId: id(notice.eventId),
    date: new Date(notice.at),
    ...(notice.kind !== 'test' && { references: threads }),
    ...(isAnswer && { inReplyTo: threads[0]! }),
    xMailer: 'Pulse',
    headers: { [eventIdHeader]: notice.eventId, 'Auto-Submitted': 'auto-generated' },
  }
}

/** So many bytes are a word of RFC 2047 with 75 signs at most. */
const bytesOfWord = 45

/** The library leaves encoded words as they are: a name that looks like one would be read as something else. */
export function subjectText(text: string): string {
  if (!text.includes('=?')) return text
  const words: string[] = ['']
  for (const sign of text.toWellFormed()) {
    const longer = words.at(-1)! + sign
    if (Buffer.byteLength(longer) > bytesOfWord) words.push(sign)
    else words[words.length - 1] = longer
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}
