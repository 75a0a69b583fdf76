import { compareVersions, isNewer, isPrerelease, plainVersion } from '@pulse/domain'
import type { SystemSettings } from '@pulse/contract'
import * as z from 'zod/mini'
import { UpdateError } from './update-error.ts'

export type Channel = SystemSettings['updateChannel']

/** One release of the feed, as far as it can be used. */
export interface Release {
  version: string
  isPrerelease: boolean
  notes: string
  /** RFC 3339, or empty */
  date: string
  /** address by file name */
  assets: ReadonlyMap<string, string>
}

const maxReleases = 200
const maxNotes = 64 * 1024

const Asset = z.object({ name: z.string(), browser_download_url: z.string() })
/** As GitHub lists releases: unused fields are left out. */
const Listed = z.object({
  tag_name: z.string(),
  draft: z.optional(z.boolean()),
  prerelease: z.optional(z.boolean()),
  body: z.nullish(z.string()),
  published_at: z.nullish(z.string()),
  assets: z.optional(z.array(z.unknown())),
})

/** What of the list is a release; one entry that is not one hides no other. */
export function readReleases(text: string): Release[] {
  const list = parsed(text)
  if (!Array.isArray(list))
    throw new UpdateError('feed', 'The release feed does not return a list of releases.')
  return list.slice(0, maxReleases).flatMap((entry) => {
    const { success, data } = Listed.safeParse(entry)
    const version = success ? plainVersion(data.tag_name) : undefined
    if (!success || version === undefined || data.draft) return []
    return [
      {
        version,
        // who publishes may call it a preview whatever its number says, and not the other way round
        isPrerelease: data.prerelease === true || isPrerelease(version),
        notes: (data.body ?? '').slice(0, maxNotes),
        date: Number.isNaN(Date.parse(data.published_at ?? '')) ? '' : data.published_at!,
        assets: new Map((data.assets ?? []).flatMap(assetOf)),
      },
    ]
  })
}

const assetOf = (entry: unknown): [string, string][] => {
  const { success, data } = Asset.safeParse(entry)
  return success && URL.canParse(data.browser_download_url) ? [[data.name, data.browser_download_url]] : []
}

/** No other architecture's archive will do. */
export const archiveName = (version: string, platform: string) => `pulse-v${version}-${platform}.tar.gz`

/** The highest that is newer and has an archive for this machine. */
export function newestFor(
  releases: readonly Release[],
  { channel, platform, running }: { channel: Channel; platform: string; running: string },
): Release | undefined {
  const fitting = releases.filter(
    ({ version, assets, ...release }) =>
      isNewer(version, running) &&
      (channel === 'rc' || !release.isPrerelease) &&
      assets.has(archiveName(version, platform)),
  )
  return fitting.toSorted((a, b) => compareVersions(b.version, a.version))[0]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
