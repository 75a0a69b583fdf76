import { eventIdHeader, type Notice } from '@pulse/domain'
import { createHash } from 'node:crypto'

const maxThreads = 10

/**
 * Headers that connect mails. Every mail has the id of its event, so that mail programs recognise duplicates.
 * Each alert episode has a thread: its first mail starts the thread, and its resolved mail replies to it.
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

/** Bytes of an encoded word (RFC 2047), which has at most 75 characters. */
const bytesOfWord = 45

/** nodemailer leaves encoded words unchanged, so a name that looks like one would be decoded. */
export function subjectText(text: string): string {
  if (!text.includes('=?')) return text
  const words: string[] = ['']
  for (const character of text.toWellFormed()) {
    const longer = words.at(-1)! + character
    if (Buffer.byteLength(longer) > bytesOfWord) words.push(character)
    else words[words.length - 1] = longer
  }
  return words.map((word) => `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=`).join(' ')
}
