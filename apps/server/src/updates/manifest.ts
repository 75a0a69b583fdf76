import { createPublicKey, verify } from 'node:crypto'
import * as z from 'zod/mini'
import { isNewer, plainVersion } from '@pulse/domain'
import { UpdateError } from './update-error.ts'

/** Far above the size of any release. */
export const maxArchiveBytes = 1024 * 1024 * 1024
export const maxManifestBytes = 256 * 1024
export const signatureBytes = 64

const ReleaseFile = z.object({
  /** a plain name, never a path */
  name: z.string().check(z.regex(/^[\w.-]{1,128}$/)),
  platform: z.string(),
  bytes: z.number().check(z.int(), z.minimum(1), z.maximum(maxArchiveBytes)),
  sha256: z.string().check(z.regex(/^[0-9a-f]{64}$/)),
})
export type ReleaseFile = z.infer<typeof ReleaseFile>

const Manifest = z.object({
  name: z.literal('pulse'),
  version: z.string(),
  channel: z.enum(['stable', 'rc']),
  build: z.string(),
  files: z.array(ReleaseFile).check(z.maxLength(32)),
})
export type Manifest = z.infer<typeof Manifest>

/**
 * The content of a release. It is trusted because one of the keys (PEM, one or more) has signed exactly these
 * bytes.
 */
export function readManifest(bytes: Buffer, signature: Buffer, keys: string): Manifest {
  if (!isSigned(bytes, signature, keys)) {
    throw new UpdateError(
      'signature',
      'The signature of the release is missing or invalid: nothing was installed.',
    )
  }
  const found = Manifest.safeParse(parsed(bytes))
  if (found.success && plainVersion(found.data.version) === found.data.version) return found.data
  throw new UpdateError(
    'signature',
    'The manifest of the release is signed, but this version cannot read it.',
  )
}

/**
 * The archive for this machine. The release must be newer than the running version: an update never
 * downgrades.
 */
export function fileFor({ version, files }: Manifest, platform: string, running: string): ReleaseFile {
  if (!isNewer(version, running)) {
    throw new UpdateError('downgrade', `The release is ${version}, and ${running} is already running.`)
  }
  const file = files.find((one) => one.platform === platform)
  if (file) return file
  throw new UpdateError('platform', `The release ${version} has no archive for ${platform}.`)
}

function isSigned(bytes: Buffer, signature: Buffer, keys: string): boolean {
  if (signature.length !== signatureBytes) return false
  const pems = keys.match(/-----BEGIN PUBLIC KEY-----[^-]{1,4096}-----END PUBLIC KEY-----/g) ?? []
  return pems.some((pem) => {
    const key = createPublicKey(pem)
    return key.asymmetricKeyType === 'ed25519' && verify(null, bytes, key, signature)
  })
}

function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** The platform as in names of archives and manifests; undefined on other systems. */
export const platform: string | undefined =
  process.platform === 'linux'
    ? ({ x64: 'linux-amd64', arm64: 'linux-arm64' } as Record<string, string>)[process.arch]
    : undefined
