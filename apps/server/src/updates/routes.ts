import {
  getUpdateCheck,
  getUpdateHistory,
  getUpdateHistoryEntry,
  getUpdatePlan,
  getUpdateStatus,
  postUpdateApply,
  type UpdatePlan,
  type VersionInfo,
} from '@pulse/contract'
import { plainVersion } from '@pulse/domain'
import { AppError } from '../app-error.ts'
import type { Principal } from '../auth/principal.ts'
import { principalOf, route } from '../http/route.ts'
import type { UpdateCheck } from './check.ts'
import { archiveName, type Channel, type Release } from './feed.ts'
import type { UpdateHistory } from './history.ts'
import { platform } from './manifest.ts'
import type { Initiator, Updater } from './updater.ts'

export interface UpdateRouteEdges {
  check: UpdateCheck
  updater: Updater
  history: UpdateHistory
  plan: PlanEdges
  platform: string | undefined
  channel: () => Channel
}

export function updateRoutes({ check, updater, history, plan, platform, channel }: UpdateRouteEdges) {
  const urlOf = ({ version, assets }: Release) => assets.get(archiveName(version, platform ?? ''))

  return [
    route(getUpdateCheck, ({ query }) =>
      check.check(query.channel, { force: query.force === 'true' ? 'user' : undefined }),
    ),
    route(getUpdatePlan, ({ query }) => {
      const to = plainVersion(query.version)!
      const offered = check.offered(query.channel)
      const downloadUrl = offered?.version === to ? urlOf(offered) : undefined
      return { ...planFor(to, plan, downloadUrl), ...(downloadUrl !== undefined && { downloadUrl }) }
    }),
    route(getUpdateStatus, () => updater.status()),
    route(postUpdateApply, async ({ body, note, ...input }) => {
      const { downloadUrl, version } = body
      note({ target: version ?? downloadUrl ?? '' })
      if (downloadUrl === undefined && version === undefined)
        throw new AppError('validation_failed', 'body: Set a version, or the URL of its archive.')
      const obstacle = updater.obstacle()
      if (obstacle !== undefined) throw new AppError('conflict', obstacle)
      await check.check(body.channel)
      const release = check.offered(body.channel)
      const isMeant =
        release !== undefined &&
        (downloadUrl === undefined || downloadUrl === urlOf(release)) &&
        (version === undefined || plainVersion(version) === release.version)
      if (!isMeant)
        throw new AppError('bad_request', 'This release is not the offered one. Check for updates again.')
      updater.begin(release, body.channel ?? channel(), initiatorOf(principalOf(input)))
      note({ target: release.version })
      return { status: 'started' as const, message: `The update to ${release.version} has begun.` }
    }),
    route(getUpdateHistory, ({ query: { limit, status } }) => {
      const wanted = history.list().filter((entry) => status === undefined || entry.status === status)
      return wanted.slice(0, limit ?? wanted.length)
    }),
    route(getUpdateHistoryEntry, ({ query }) => {
      const entry = history.find(query.id)
      if (entry) return entry
      throw new AppError('not_found', 'The history has no such update.')
    }),
  ]
}

const initiatorOf = ({ method }: Principal): Initiator =>
  method === 'token'
    ? { initiated_by: 'api', initiated_via: 'script' }
    : { initiated_by: 'user', initiated_via: 'ui' }

interface PlanEdges {
  version: Pick<VersionInfo, 'deploymentType'>
  /** why this installation cannot replace itself, if so */
  why: string | undefined
}

const byHand = { canAutoUpdate: false, requiresRoot: true, rollbackSupport: false } as const

/** How to install that version, by the kind of this installation. */
export function planFor(
  to: string,
  { version: { deploymentType }, why }: PlanEdges,
  downloadUrl: string | undefined,
): UpdatePlan {
  const archive = archiveName(to, platform ?? 'linux-amd64')
  switch (deploymentType) {
    case 'systemd':
    case 'proxmoxve':
      if (why === undefined) {
        return {
          canAutoUpdate: true,
          requiresRoot: true,
          rollbackSupport: true,
          estimatedTime: '2-5 minutes',
          prerequisites: ['Root access', 'Internet connection', 'At least 1 GB of free disk space'],
        }
      }
      return {
        ...byHand,
        estimatedTime: '2-5 minutes',
        prerequisites: ['Root access', why],
        instructions: byScript(to, downloadUrl),
      }
    case 'docker':
      return {
        canAutoUpdate: false,
        requiresRoot: false,
        rollbackSupport: true,
        estimatedTime: '1-2 minutes',
        instructions: [
          `docker pull pulse:${to}`,
          'docker stop pulse && docker rm pulse',
          `docker run … pulse:${to}`,
        ],
      }
    case 'manual':
      return {
        ...byHand,
        requiresRoot: false,
        prerequisites: [
          'The running container is stopped first',
          'The new container uses the same PULSE_DATA_DIR',
        ],
        instructions: [`tar -xzf ${archive}`, `${archive.replace('.tar.gz', '')}/bin/pulse`],
      }
    default:
      return { ...byHand, requiresRoot: false, instructions: [`git checkout v${to}`, 'npm start'] }
  }
}

/**
 * The install script of a release installs that release, from the location of its archive. Users paste the
 * command, so it contains only one address.
 */
function byScript(to: string, downloadUrl: string | undefined): string[] {
  const folder = downloadUrl === undefined ? '' : new URL('.', downloadUrl).href.slice(0, -1)
  const from = /^https?:\/\/[\w.:/%+-]+$/.test(folder) ? folder : `<address of the release v${to}>`
  return [`curl -fsSLO ${from}/install.sh`, `sudo sh install.sh --from ${from}`]
}
