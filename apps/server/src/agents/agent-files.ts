import { type AgentPlatform, agentPlatforms } from '@pulse/contract'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { AppError } from '../app-error.ts'

/** Platform names that programs use. */
const spellings: Record<string, AgentPlatform> = {
  'linux-amd64': 'linux-amd64',
  amd64: 'linux-amd64',
  x86_64: 'linux-amd64',
  'linux-x86_64': 'linux-amd64',
  'linux-arm64': 'linux-arm64',
  arm64: 'linux-arm64',
  aarch64: 'linux-arm64',
  'linux-aarch64': 'linux-arm64',
}

const smallArm = /^(?:linux-)?(?:arm(?:v[5-7]l?|hf|el)?|armhf)$/

export interface AgentFile {
  platform: AgentPlatform
  path: string
  bytes: number
  /** hex */
  sha256: string
}

/** The agent files of this server. The requested platform is looked up in a list and never becomes a path. */
export interface AgentFiles {
  /** Throws `not_found` with the reason. */
  find(arch: string | undefined): Promise<AgentFile>
  /** Existing files only. */
  all(): Promise<AgentFile[]>
  /** The common version; undefined without files. */
  version(): string | undefined
  /** The published list with its signature; throws `not_found` in an unsigned build. */
  list(): { bytes: Buffer; signature: Buffer }
}

export function createAgentFiles(
  folder: string | undefined,
  fileName: (platform: AgentPlatform) => string,
): AgentFiles {
  /** Checksums by file. A new size or modification time means a new file. */
  const sums = new Map<string, { mark: string; sum: Promise<string> }>()

  async function read(platform: AgentPlatform): Promise<AgentFile | undefined> {
    if (folder === undefined) return undefined
    const file = path.join(folder, fileName(platform))
    const stat = await fs.promises.stat(file).catch(() => undefined)
    if (!stat?.isFile()) return undefined
    const mark = `${stat.size} ${stat.mtimeMs}`
    if (sums.get(file)?.mark !== mark) sums.set(file, { mark, sum: sha256Of(file) })
    return { platform, path: file, bytes: stat.size, sha256: await sums.get(file)!.sum }
  }

  return {
    async find(arch) {
      const name = arch?.trim().toLowerCase() ?? ''
      const platform = Object.hasOwn(spellings, name) ? spellings[name] : undefined
      const file = platform && (await read(platform))
      if (file) return file
      throw new AppError('not_found', platform ? notBuilt(platform) : whyNot(name))
    },
    list() {
      try {
        const at = (name: string) => fs.readFileSync(path.join(folder ?? '', name))
        return { bytes: at('agents.json'), signature: at('agents.json.sig') }
      } catch {
        throw new AppError(
          'not_found',
          'This server was built without a signing key: its agents are not signed.',
        )
      }
    },
    all: async () => (await Promise.all(agentPlatforms.map(read))).filter((file) => file !== undefined),
    version() {
      if (folder === undefined) return undefined
      try {
        return fs.readFileSync(path.join(folder, 'VERSION'), 'utf8').trim().slice(0, 64) || undefined
      } catch {
        return undefined
      }
    },
  }
}

const known = agentPlatforms.join(' and ')

function whyNot(name: string): string {
  if (name === '') return `Name the platform with ?arch=; there are ${known}.`
  if (smallArm.test(name)) {
    return `There is no agent for 32-bit ARM: its runtime does not support that platform. There are ${known}.`
  }
  return `There is no agent for this platform. There are ${known}.`
}

const notBuilt = (platform: AgentPlatform) =>
  `This server was built without the agent for ${platform}. Build it with "npm run build -- --all-platforms", or use the container image of the agent.`

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(fs.createReadStream(file), hash)
  return hash.digest('hex')
}

/** An agent has about 120 MB, and its download needs no sign-in. */
const mostAtOnce = 4
const retryAfterSeconds = 30

/** Limits concurrent downloads. */
export function createDownloads() {
  const open = new Set<Readable>()
  return {
    /** Throws `too_many_connections` at the limit. */
    admit(): void {
      if (open.size < mostAtOnce) return
      throw new AppError(
        'too_many_connections',
        `${mostAtOnce} agent downloads are in progress. Try again in ${retryAfterSeconds} s.`,
        { headers: { 'retry-after': String(retryAfterSeconds) } },
      )
    },
    count<Source extends Readable>(source: Source): Source {
      open.add(source)
      source.once('close', () => open.delete(source))
      return source
    },
  }
}
