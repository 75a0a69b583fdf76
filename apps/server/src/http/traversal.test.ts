import fs from 'node:fs'
import net from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scale } from '../auth/fixtures.ts'
import { endpoints } from '../testing/access-matrix.ts'
import { randomFrom } from '../testing/data-folder.ts'
import { adminToken, startTestServer, type TestServer } from '../testing/server.ts'

/** Contained in every file that must not be served. */
const canary = 'canary-outside-of-the-page'
let root: string
let server: TestServer

beforeAll(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'pulse-traversal-'))
  const write = (name: string) => {
    fs.mkdirSync(path.dirname(path.join(root, name)), { recursive: true })
    fs.writeFileSync(path.join(root, name), `${canary} ${name}`)
  }
  for (const name of ['outside.txt', 'web/../package.json', 'data.txt', 'web-2/index.html']) write(name)
  fs.mkdirSync(path.join(root, 'web/assets'), { recursive: true })
  fs.writeFileSync(path.join(root, 'web/index.html'), '<!doctype html><title>the page</title>')
  fs.writeFileSync(path.join(root, 'web/assets/main.js'), 'true')
  server = await startTestServer(undefined, {
    API_TOKENS: adminToken,
    PULSE_FRONTEND_DIR: path.join(root, 'web'),
  })
  fs.writeFileSync(path.join(server.dataDir, 'outside.txt'), canary)
})
afterAll(async () => {
  await server.stop()
  fs.rmSync(root, { recursive: true })
})

const steps = [
  '..',
  '.',
  '%2e%2e',
  '%2E.',
  '.%2e',
  '%252e%252e',
  '..%00',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
  '...',
  '..;',
  '\u2025',
]
const slashes = ['/', '//', '\\', '%2f', '%2F', '%5c', '%252f', '%c0%af', '%ef%bc%8f', '/./', '/%2e/']
const starts = [
  '/',
  '/assets',
  '/assets/',
  '//',
  '/api/',
  '/api/setup-script',
  '/assets/main.js',
  '/./',
  '/%2e/',
  'http://127.0.0.1',
]
const ends = [
  'outside.txt',
  'package.json',
  'web-2/index.html',
  'etc/passwd',
  'proc/self/environ',
  '.encryption.key',
  'pulse.db',
  'outside.txt%00.js',
  'outside.txt;.js',
  'outside.txt?x=/assets/main.js',
  'outside.txt#/assets/main.js',
]

function attempts(count: number): string[] {
  const random = randomFrom(19)
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!
  const downloads = endpoints
    .filter(({ method }) => method === 'GET')
    .map((one) => one.path.replace(/:\w+/g, 'x'))
  const found = new Set<string>()
  while (found.size < count) {
    const [step, slash] = [pick(steps), pick(slashes)]
    const depth = 1 + Math.floor(random() * 9)
    const way = Array.from({ length: depth }, () => (random() < 0.8 ? step : pick(steps)) + slash).join('')
    const start = random() < 0.5 ? pick(starts) : pick(downloads)
    const target = random() < 0.2 ? path.join(server.dataDir, 'outside.txt') : pick(ends)
    found.add(`${start}${random() < 0.5 ? '/' : slash}${way}${target}`)
  }
  return [...found]
}

/** Sends the path verbatim; an HTTP client would normalise it. */
function raw(paths: readonly string[]): Promise<string> {
  const { port } = new URL(server.url)
  const socket = net.connect(Number(port), '127.0.0.1')
  return new Promise((resolve, reject) => {
    let answer = ''
    socket.setEncoding('latin1')
    socket.on('data', (text) => (answer += String(text)))
    socket.on('end', () => resolve(answer))
    socket.on('error', reject)
    const head = `Host: 127.0.0.1\r\nX-API-Token: ${adminToken}\r\n`
    const last = paths.length - 1
    socket.write(
      paths
        .map((one, n) => `GET ${one} HTTP/1.1\r\n${head}${n === last ? 'Connection: close\r\n' : ''}\r\n`)
        .join(''),
    )
  })
}

const count = scale > 1 ? 5_000 : 500

test(`[S19] ${count} spellings of a path traversal: not one byte from outside the built page`, async () => {
  const all = attempts(count)
  const secrets = [
    canary,
    'root:x:0:0',
    adminToken,
    fs.readFileSync(path.join(server.dataDir, '.encryption.key'), 'latin1'),
  ]
  let answers = 0
  for (let at = 0; at < all.length; at += 10) {
    // an unparsable request ends its connection, so each has its own
    const batch = all.slice(at, at + 10)
    for (const answer of await Promise.all(batch.map((one) => raw([one])))) {
      expect(answer).toMatch(/^HTTP\/1\.1 [2-4]\d\d/)
      for (const secret of secrets) expect(answer.includes(secret)).toBe(false)
      answers++
    }
  }
  expect(answers).toBe(count)
  expect(await raw(['/assets/main.js'])).toContain('true')
})
