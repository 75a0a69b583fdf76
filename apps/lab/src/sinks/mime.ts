/** A decoded mail, without encoded words and transfer encodings. */
export interface ReadMail {
  /** by lower-case name; the first one of several */
  headers: ReadonlyMap<string, string>
  text: string
  html: string
}

/** Parses the MIME of alert mails: one part, or one level of parts. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = split(raw)
  const type = headers.get('content-type') ?? 'text/plain'
  const boundary = /boundary="?([^";]+)"?/i.exec(type)?.[1]
  const parts = boundary === undefined ? [raw] : partsOf(body, boundary)
  let [text, html] = ['', '']
  for (const part of parts) {
    const inner = split(part)
    const content = decoded(inner.body, inner.headers.get('content-transfer-encoding') ?? '')
    if (/^text\/html/i.test(inner.headers.get('content-type') ?? '')) html = content
    else text = content
  }
  return { headers: new Map([...headers].map(([name, value]) => [name, withoutWords(value)])), text, html }
}

const partsOf = (body: string, boundary: string): string[] =>
  body
    .split(`--${boundary}`)
    .slice(1, -1)
    .map((part) => part.replace(/^\r?\n/, ''))

function split(raw: string): { headers: Map<string, string>; body: string } {
  const [, head = raw, body = ''] = /^([\s\S]*?)\r?\n\r?\n([\s\S]*)$/.exec(raw) ?? []
  const headers = new Map<string, string>()
  for (const line of head.replace(/\r?\n[ \t]+/g, ' ').split(/\r?\n/)) {
    const [, name, value] = /^([^:]+):\s*(.*)$/.exec(line) ?? []
    if (name && value !== undefined && !headers.has(name.toLowerCase()))
      headers.set(name.toLowerCase(), value)
  }
  return { headers, body }
}

function decoded(body: string, encoding: string): string {
  if (/^base64$/i.test(encoding)) return Buffer.from(body, 'base64').toString()
  if (!/^quoted-printable$/i.test(encoding)) return body
  return fromHex(body.replace(/=\r?\n/g, ''), /=([0-9A-F]{2})/gi)
}

const fromHex = (text: string, pattern: RegExp): string =>
  Buffer.from(
    text.replace(pattern, (_, digits: string) => String.fromCharCode(parseInt(digits, 16))),
    'latin1',
  ).toString()

/** Decodes encoded words (RFC 2047). */
function withoutWords(value: string): string {
  return value
    .replace(/(\?=)\s+(=\?)/g, '$1$2')
    .replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toLowerCase() === 'b'
        ? Buffer.from(text, 'base64').toString()
        : fromHex(text.replaceAll('_', ' '), /=([0-9A-F]{2})/gi),
    )
}
