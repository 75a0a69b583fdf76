import { isNewer } from '@pulse/domain'
import { execFile } from 'node:child_process'
import fs from 'node:fs'
import { promisify } from 'node:util'
import { call } from '../deliver/http-call.ts'
import { fields, text } from '../engine/read.ts'
import type { Log } from '../log.ts'
import type { Target } from '../settings/targets.ts'
import { introduction } from '../version.ts'
import { requireTime } from './busy-server.ts'
import { fetchProgram } from './fetch-program.ts'
import { clearLeftovers, freshOf } from './leftovers.ts'
import { signedAgent } from './signed-agent.ts'

export interface SelfUpdate {
  target: Target
  /** of what runs */
  version: string
  /** the file that runs, which is replaced */
  program: string
  /** as in `linux-amd64` */
  platform: string
  /** of who publishes it (PEM, one or more) */
  keys: string
  log: Log
  /** goes on as that program; throws when it cannot */
  become: (program: string) => void
}

/** Where the file that ran before is kept until the new one has done its first work. */
export const previousOf = (program: string) => `${program}.previous`

/** Becomes the agent that the server has, if that is newer. Rejects, and leaves everything as it was, unless all of it went well. */
export async function updateSelf(parts: SelfUpdate): Promise<void> {
  const { target, version, program, platform, keys, log, become } = parts
  clearLeftovers(program)
  const told = await toldVersion(target)
  if (told === undefined || !isUpgrade(told, version)) return
  const signed = await signedAgent(target, platform, keys)
  // what a server says is a hint; an older list under a new name leads nowhere
  if (!signed || !isUpgrade(signed.version, version))
    throw new Error(`${target.url} speaks of version ${told}, but has none published for ${platform}`)
  const offered = signed.version
  log.info(`${target.url} has version ${offered} of this agent, which is ${version}: downloading it`)
  const fresh = freshOf(program, process.pid)
  try {
    await fetchProgram(target, platform, signed, fresh)
    await tryOut(fresh, offered)
    replace(program, fresh)
  } finally {
    fs.rmSync(fresh, { force: true })
  }
  log.info(`this agent continues as version ${offered}`)
  try {
    become(program)
  } catch (error) {
    fs.renameSync(previousOf(program), program)
    throw error
  }
}

/** A version with build metadata (`+…`) is a build of one's own, not a release: it neither replaces an agent nor is replaced. */
const isUpgrade = (offered: string, own: string): boolean =>
  !`${offered}${own}`.includes('+') && isNewer(offered.trim(), own)

async function toldVersion(target: Target): Promise<string | undefined> {
  const answer = await call(target, { method: 'GET', path: '/api/agent/version', timeoutMs: 15_000 })
  requireTime(target, answer.status, answer.headers)
  if (answer.status !== 200)
    throw new Error(`${target.url} answered ${answer.status} when asked for its version`)
  return text(fields(JSON.parse(answer.body)).version)
}

/** Right bytes may still be of another platform, or want what this host does not have. It is told nothing secret. */
async function tryOut(file: string, version: string): Promise<void> {
  const { stdout } = await promisify(execFile)(file, ['--version'], { env: {}, timeout: 60_000 })
  const [own, offered] = [stdout.trim(), introduction(version.replace(/^v/, ''))]
  if (own !== offered)
    throw new Error(`the downloaded agent identifies itself as "${own.slice(0, 100)}", not "${offered}"`)
}

/** At no moment is there no program: whoever starts it meanwhile gets one or the other. */
function replace(program: string, fresh: string): void {
  fs.rmSync(previousOf(program), { force: true })
  fs.linkSync(program, previousOf(program))
  fs.renameSync(fresh, program)
}
