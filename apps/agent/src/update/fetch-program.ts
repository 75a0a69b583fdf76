import { createHash } from 'node:crypto'
import fs from 'node:fs/promises'
import { open } from '../deliver/http-call.ts'
import type { Target } from '../settings/targets.ts'
import { throwIfBusy } from '../deliver/backoff.ts'
import type { SignedAgent } from './signed-agent.ts'

const limitMs = 15 * 60_000

/** Downloads the agent of a platform into a file. Rejects unless it has the published checksum. */
export async function fetchProgram(
  target: Target,
  platform: string,
  signed: Pick<SignedAgent, 'bytes' | 'sha256'>,
  file: string,
): Promise<void> {
  const path = `/download/pulse-docker-agent?arch=${platform}`
  const response = await open(target, { method: 'GET', path, timeoutMs: limitMs })
  if (response.statusCode !== 200) {
    response.destroy()
    throwIfBusy(target, response.statusCode, response.headers)
    throw new Error(`${target.url} answered with ${response.statusCode} when asked for its agent`)
  }
  const hash = createHash('sha256')
  const handle = await fs.open(file, 'wx', 0o755)
  try {
    let bytes = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length
      if (bytes > signed.bytes) throw new Error(`${target.url} sent more data than the published agent has`)
      hash.update(chunk)
      // appendFile writes the whole chunk; a single write may be short on a full disk
      await handle.appendFile(chunk)
    }
    await handle.sync()
  } finally {
    await handle.close()
  }
  const found = hash.digest('hex')
  if (found !== signed.sha256)
    throw new Error(`the agent of ${target.url} has the checksum ${found} instead of ${signed.sha256}`)
}
