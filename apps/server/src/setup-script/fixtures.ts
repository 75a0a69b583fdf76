import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setupScript } from './script.ts'
import type { SetupValues } from './values.ts'

/** The server that a script calls. It answers as configured and records the requests. */
export interface FarEnd {
  url: string
  asked: { method: string; url: string; code: string | undefined; body: string }[]
  /** the answers from now on */
  check: { status: number; body: string }
  register: { status: number; body: string }
  registered(): Record<string, unknown>[]
  close(): Promise<void>
}

export const refusalBody = (error: string) =>
  JSON.stringify({ error, code: 'invalid_setup_code', status_code: 403 })
const accepted = { status: 200, body: '{"status":"success","message":"","nodeId":"pve-1"}' }

export async function aFarEnd(): Promise<FarEnd> {
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      far.asked.push({ method, url, code: headers['x-setup-code'] as string | undefined, body })
      const { status, body: text } = method === 'GET' ? far.check : far.register
      response.writeHead(status).end(text)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const far: FarEnd = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    check: { status: 200, body: '#!/bin/bash\n' },
    register: accepted,
    registered: () =>
      far.asked
        .filter(({ method }) => method === 'POST')
        .map(({ body }) => JSON.parse(body) as Record<string, unknown>),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  return far
}

export const aCode = '0123456789abcdef0123456789abcdef'

export const someValues = (given: Partial<SetupValues> = {}): SetupValues => ({
  type: 'pve',
  host: 'https://192.0.2.10:8006',
  pulseUrl: 'https://pulse.example.com:7655',
  backupPerms: true,
  tlsPin: undefined,
  ...given,
})

export const aScript = (given: Partial<SetupValues> = {}): string => setupScript(someValues(given))

/** Texts that are harmful without quotes. Each tries to create the file `caught`. */
export const harmful: readonly string[] = [
  "'; touch caught; '",
  '"; touch caught; "',
  '$(touch caught)',
  '`touch caught`',
  '${IFS}touch${IFS}caught',
  '\ntouch caught\n',
  '\r\ntouch caught',
  '; touch caught #',
  '&& touch caught',
  '| touch caught',
  '& touch caught &',
  '> caught',
  '<(touch caught)',
  "$'\\ntouch caught'",
  "\\'; touch caught; \\'",
  '-o caught',
  '--output=caught',
  '-K/dev/stdin',
  '@caught',
  '*',
  '~',
  '~root',
  '!!',
  '{a,b}',
  '\\',
  "''",
  ' ',
  '\t',
  '\u001b[31m',
  '\u202e',
  'é ü 漢 😀',
  '%s%n',
  '$0 $1 $@ $#',
  '[a-z]',
  'a'.repeat(400),
]

/** `count` different texts, in the same order in each run. */
export function hostileTexts(count: number): string[] {
  const joints = ['', 'node', '-', '.', ':', '/', '@', ' ', 'a.example', '192.0.2.7', "'", '"']
  return Array.from({ length: count }, (_, n) => {
    const [first, second] = [
      harmful[n % harmful.length]!,
      harmful[Math.floor(n / harmful.length) % harmful.length]!,
    ]
    const [before, between] = [joints[n % joints.length]!, joints[Math.floor(n / 7) % joints.length]!]
    return `${before}${first}${between}${n % 3 === 0 ? second : ''}${n}`
  })
}
