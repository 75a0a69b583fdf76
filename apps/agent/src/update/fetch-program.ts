import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { open } from '../deliver/http-call.ts'
import type { Target } from '../settings/targets.ts'

const limitMs = 15 * 60_000
const mostBytes = 512 * 1024 * 1024

/** Fetches the agent of a platform into a file, and rejects unless every byte is what the server says it should be. */
export async function fetchProgram(target: Target, platform: string, file: string): Promise<void> {
  const path = `/download/pulse-docker-agent?arch=${platform}`
  const response = await open(target, { method: 'GET', path, timeoutMs: limitMs })
  const expected = String(response.headers['x-checksum-sha256'] ?? '').toLowerCase()
  if (response.statusCode !== 200 || !/^[0-9a-f]{64}$/.test(expected)) {
    response.destroy()
    const why = response.statusCode === 200 ? 'without a checksum' : `with ${response.statusCode}`
    throw new Error(`${target.url} answered ${why} when asked for its agent`)
  }
  const hash = createHash('sha256')
  const handle = await fs.open(file, 'wx', 0o755)
  try {
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > mostBytes) throw new Error(`${target.url} sends more than ${mostBytes} bytes as its agent`)
      hash.update(chunk)
      // all of it: one write may end half done on a disk that is full
      await handle.appendFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const found = hash.digest('hex')
  if (found !== expected) {
    throw new Error(`the agent of ${target.url} has the checksum ${found} instead of ${expected}`)
  }
}
