import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const lifetimeSeconds = 7200
const clockSkewSeconds = 300

export interface Tickets {
  issue(userId: string): { ticket: string; csrfToken: string }
  issueChallenge(userId: string): string
  /** The user of a genuine ticket that has not expired. */
  verify(ticket: string): string | undefined
  verifyCsrfToken(userId: string, csrfToken: string): boolean
}

/** One per cluster: every member accepts tickets of the others. The prefix is that of the product. */
export function createTickets(now: () => number, prefix = 'PVE'): Tickets {
  // PVE's signatures are as long as a 2048-bit RSA key.
  const secret = randomBytes(32)
  const sign = (text: string) => {
    const parts = [0, 1, 2, 3].map((part) => createHmac('sha512', secret).update(`${part}:${text}`).digest())
    return Buffer.concat(parts).toString('base64')
  }
  const stamp = () =>
    Math.floor(now() / 1000)
      .toString(16)
      .toUpperCase()
      .padStart(8, '0')
  const isRecent = (hex: string) => {
    const ageSeconds = now() / 1000 - Number.parseInt(hex, 16)
    return ageSeconds > -clockSkewSeconds && ageSeconds < lifetimeSeconds
  }
  const csrfSignature = (userId: string, time: string) =>
    createHmac('sha256', secret).update(`csrf:${time}:${userId}`).digest('base64').replace(/=+$/, '')

  return {
    issue(userId) {
      const time = stamp()
      const plain = `${prefix}:${userId}:${time}`
      return { ticket: `${plain}::${sign(plain)}`, csrfToken: `${time}:${csrfSignature(userId, time)}` }
    },
    issueChallenge(userId) {
      const plain = `${prefix}:!tfa!${encodeURIComponent('{"totp":true,"recovery":null}')}:${stamp()}`
      return `${plain}::${sign(`${plain}:${userId}`)}`
    },
    verify(ticket) {
      const match = /^([A-Z]+:([^:!]+):([0-9A-F]{8}))::(.+)$/.exec(ticket)
      if (
        !match?.[1]!.startsWith(`${prefix}:`) ||
        !isRecent(match[3]!) ||
        !sameText(sign(match[1]!), match[4]!)
      )
        return undefined
      return match[2]
    },
    verifyCsrfToken(userId, csrfToken) {
      const [time = '', signature = ''] = csrfToken.split(':')
      return /^[0-9A-F]{8}$/.test(time) && isRecent(time) && sameText(csrfSignature(userId, time), signature)
    },
  }
}

export function sameText(left: string, right: string): boolean {
  const [first, second] = [Buffer.from(left), Buffer.from(right)]
  return first.length === second.length && timingSafeEqual(first, second)
}
