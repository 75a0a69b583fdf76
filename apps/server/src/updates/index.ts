import type { LiveEvent, SystemSettings, VersionInfo } from '@pulse/contract'
import fs from 'node:fs'
import path from 'node:path'
import type { Area } from '../area.ts'
import type { Foundation } from '../foundation.ts'
import { createOutbound } from '../outbound/guard.ts'
import type { OnSignal } from '../signal.ts'
import { createCheck, noFeed, noPlatform } from './check.ts'
import { createFeedClient } from './feed-client.ts'
import { openHistory } from './history.ts'
import { platform } from './manifest.ts'
import { updateRoutes } from './routes.ts'
import { createSchedule, mayInstallUnattended } from './schedule.ts'
import { createUpdater } from './updater.ts'

export interface UpdateAreaEdges extends Pick<
  Foundation,
  'clock' | 'log' | 'version' | 'dataDir' | 'report'
> {
  config: { updates: { feed: string | undefined; releaseDir: string | undefined } }
  settings: { current(): SystemSettings; onChange: OnSignal<[SystemSettings, SystemSettings]> }
  publish: (event: LiveEvent) => void
}

export interface UpdateArea extends Area {
  /** the running version and known newer ones */
  version: () => VersionInfo
}

/** Finds newer releases, fetches them, hands them over, and records the results. */
export function updateArea({ config, settings, publish, report, ...edges }: UpdateAreaEdges): UpdateArea {
  const { clock, log, version, dataDir } = edges
  const { feed, releaseDir } = config.updates
  const ending = new AbortController()
  const { signal } = ending
  const onFault = (error: unknown) => report('updates', error)
  const channel = () => settings.current().updateChannel
  // the operator configured this server, which may be in the local network
  const host = feed === undefined ? undefined : new URL(feed).host
  const outbound = createOutbound({ clock, allowedHosts: () => (host === undefined ? [] : [host]) })
  const client =
    feed === undefined ? undefined : createFeedClient(outbound, { feed, clock, version: version.version })
  const check = createCheck({ ...edges, client, platform, channel, signal })
  const history = openHistory(dataDir, log)
  const installation = readInstallation(releaseDir, version)
  const stage = stageOf()
  const updater = createUpdater({ ...edges, stage, history, publish, onFault })
  const schedule = createSchedule({
    settings: settings.current,
    look: () => check.check(undefined, { force: 'schedule' }),
    install,
    onFault,
    clock,
  })
  settings.onChange(schedule.changed)

  function stageOf() {
    if ('why' in installation) return installation
    if (!client) return { why: noFeed }
    if (platform === undefined) return { why: noPlatform }
    return { client, keys: installation.keys, platform, signal }
  }

  /** Runs unattended at the configured time. */
  async function install(): Promise<void> {
    if (updater.obstacle() !== undefined) return
    await check.check(undefined, { force: 'schedule' })
    const release = check.offered(undefined)
    if (!release) return
    if (!mayInstallUnattended(release.version, version.version, history.list()))
      return log.info(
        `${release.version} is not installed automatically: it is a new major version, or failed before.`,
      )
    updater.begin(release, channel(), { initiated_by: 'auto', initiated_via: 'script' })
  }

  return {
    name: 'the updates',
    isLed: true,
    routes: updateRoutes({
      check,
      updater,
      history,
      plan: { version, why: 'why' in stage ? stage.why : undefined },
      platform,
      channel,
    }),
    version: () => {
      const { available, latestVersion } = check.known()
      return { ...version, updateAvailable: available, ...(available && { latestVersion }) }
    },
    start: () => updater.start(),
    lead: () => schedule.start(),
    stop() {
      ending.abort()
      schedule.stop()
      updater.stop()
    },
  }
}

interface Installation {
  /** public keys (PEM) of trusted publishers */
  keys: string
}

/**
 * The installation if it can replace itself; otherwise the reason. Decision 42 describes the layout of such
 * an installation.
 */
export function readInstallation(
  releaseDir: string | undefined,
  { deploymentType }: Pick<VersionInfo, 'deploymentType'>,
): Installation | { why: string } {
  if (deploymentType !== 'systemd' && deploymentType !== 'proxmoxve')
    return { why: 'Only an installed release can update itself.' }
  const slots = releaseDir && path.dirname(releaseDir)
  if (!slots || path.basename(slots) !== 'slots' || !fs.existsSync(path.join(path.dirname(slots), 'current')))
    return { why: 'This release is not in slot a or b: install it with its install script.' }
  const keyFile = path.join(releaseDir, 'release-key.pem')
  if (!fs.existsSync(keyFile)) return { why: 'This release has no signing key, so it cannot verify updates.' }
  return { keys: fs.readFileSync(keyFile, 'utf8') }
}
