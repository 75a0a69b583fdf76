import { createPublicKey, verify } from 'node:crypto'
import { call } from '../deliver/http-call.ts'
import { count, fields, list, text } from '../engine/read.ts'
import type { Target } from '../settings/targets.ts'
import { throwIfBusy } from '../deliver/backoff.ts'

/** The published program of one platform. */
export interface SignedAgent {
  version: string
  bytes: number
  /** hex */
  sha256: string
}

const signatureBytes = 64

/**
 * The agent that a server offers for a platform. One of the keys (PEM, one or more) must have signed the
 * list. So a server can offer an agent, but cannot sign one. Undefined when the list does not contain the
 * platform.
 */
export async function signedAgent(
  target: Target,
  platform: string,
  keys: string,
): Promise<SignedAgent | undefined> {
  const path = '/download/pulse-docker-agent?part=list'
  const { status, headers, body } = await call(target, { method: 'GET', path, timeoutMs: 15_000 })
  throwIfBusy(target, status, headers)
  if (status !== 200)
    throw new Error(`${target.url} has no signed list of agents: it answered with ${status}`)
  const signature = Buffer.from(String(headers['x-signature'] ?? ''), 'base64')
  if (!isSigned(Buffer.from(body), signature, keys))
    throw new Error(`the list of agents of ${target.url} is not signed by the publisher of this agent`)
  const { name, version, files } = fields(JSON.parse(body))
  const file = list(files)
    .map(fields)
    .find((one) => one.platform === platform)
  const [bytes, sha256] = [count(file?.bytes), text(file?.sha256)]
  // the same key signs other lists too
  if (name !== 'pulse-docker-agent' || !file || bytes === undefined || sha256 === undefined) return undefined
  return { version: text(version) ?? '', bytes, sha256 }
}

function isSigned(bytes: Buffer, signature: Buffer, keys: string): boolean {
  if (signature.length !== signatureBytes) return false
  const pems = keys.match(/-----BEGIN PUBLIC KEY-----[^-]{1,4096}-----END PUBLIC KEY-----/g) ?? []
  return pems.some((pem) => {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, signature)
  })
}
