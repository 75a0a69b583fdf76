import type { UpdateInfo, VersionInfo } from '@pulse/contract'
import { type Clock, isDescribed, plainVersion } from '@pulse/domain'
import type { Logger } from 'pino'
import { archiveName, type Channel, newestFor, type Release } from './feed.ts'
import type { FeedClient } from './feed-client.ts'
import { UpdateError } from './update-error.ts'

/** A result is shown for this long without another request. */
const FRESH_MS = 24 * 3_600_000
/** Minimum interval of requests that users force. */
const FORCED_MS = 60_000
/** Pause after a failure, unless a user forces a request. */
const RETRY_MS = 15 * 60_000

export const noFeed = 'No release feed is configured: set PULSE_UPDATE_SERVER to the URL of a release list.'

export const noPlatform = 'There are no releases for this platform.'

export interface CheckEdges {
  /** undefined: no feed is configured */
  client: FeedClient | undefined
  version: VersionInfo
  /** undefined if there are no releases for this system */
  platform: string | undefined
  channel: () => Channel
  clock: Clock
  log: Logger
  signal: AbortSignal
}

export interface UpdateCheck {
  /**
   * `force` asks before the cached answer is a day old. When a user forces it, an installation that does not
   * update itself asks too.
   */
  check(channel: Channel | undefined, how?: { force?: 'user' | 'schedule' | undefined }): Promise<UpdateInfo>
  /** the release that the last check of this channel offered */
  offered(channel: Channel | undefined): Release | undefined
  /** the last result for the chosen channel, without a request */
  known(): UpdateInfo
}

/** Why this kind of installation asks for newer releases only when forced, and never installs one. */
export function reasonNotToAsk({ version, ...kind }: VersionInfo): string | undefined {
  if (kind.isDocker) return 'This is a container: pull the newer image and recreate the container.'
  if (kind.isDevelopment) return 'Development installations cannot be updated.'
  if (kind.isSourceBuild) return 'Built from source: update the source and build again.'
  if (isDescribed(version) || plainVersion(version) === undefined)
    return `${version} is not a release version, so newer releases cannot be determined.`
  return undefined
}

export function createCheck({
  client,
  version,
  platform,
  channel,
  clock,
  log,
  signal,
}: CheckEdges): UpdateCheck {
  const impossible = (platform === undefined ? noPlatform : undefined) ?? (client ? undefined : noFeed)
  const unasked = reasonNotToAsk(version)
  let releases: readonly Release[] = []
  let etag: string | undefined
  let checkedAt: number | undefined
  let askedAt: number | undefined
  let warning: string | undefined
  let asking: Promise<void> | undefined

  function isDue(force: boolean): boolean {
    if (askedAt === undefined) return true
    const age = clock.monotonic() - askedAt
    if (force) return age >= FORCED_MS
    return age >= (warning === undefined ? FRESH_MS : RETRY_MS)
  }

  async function ask(feed: FeedClient): Promise<void> {
    askedAt = clock.monotonic()
    try {
      const answer = await feed.list(etag, signal)
      if (answer) ({ releases, etag } = answer)
      checkedAt = clock.now()
      warning = undefined
    } catch (error) {
      if (!(error instanceof UpdateError)) throw error
      if (signal.aborted) return
      warning = error.message
      log.warn(`Checking for updates failed: ${error.message}`)
    }
  }

  const newest = (wanted: Channel | undefined) =>
    impossible === undefined && plainVersion(version.version) !== undefined
      ? newestFor(releases, { channel: wanted ?? channel(), platform: platform!, running: version.version })
      : undefined

  function info(wanted: Channel | undefined): UpdateInfo {
    const release = newest(wanted)
    const said = unasked ?? impossible ?? warning
    return {
      available: release !== undefined,
      currentVersion: version.version,
      latestVersion: release?.version ?? version.version,
      releaseNotes: release?.notes ?? '',
      releaseDate: release?.date ?? '',
      downloadUrl: release?.assets.get(archiveName(release.version, platform!)) ?? '',
      isPrerelease: release?.isPrerelease ?? false,
      channel: wanted ?? channel(),
      ...(checkedAt !== undefined && { checkedAt: new Date(checkedAt).toISOString() }),
      ...(said !== undefined && { warning: said }),
    }
  }

  return {
    offered: (wanted) => (unasked === undefined ? newest(wanted) : undefined),
    known: () => info(undefined),
    async check(wanted, { force } = {}) {
      const mayAsk = impossible === undefined && (unasked === undefined || force === 'user')
      if (mayAsk && (asking || isDue(force !== undefined))) {
        asking ??= ask(client!).finally(() => (asking = undefined))
        await asking
      }
      return info(wanted)
    },
  }
}
