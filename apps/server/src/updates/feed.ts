import { compareVersions, isNewer, isPrerelease, plainVersion } from '@pulse/domain'
import type { SystemSettings } from '@pulse/contract'
import * as z from 'zod/mini'
import { UpdateError } from './update-error.ts'

export type Channel = SystemSettings['updateChannel']

/** One release of the feed; only the usable fields. */
export interface Release {
  version: string
  isPrerelease: boolean
  notes: string
  /** RFC 3339, or empty */
  date: string
  /** URL by file name */
  assets: ReadonlyMap<string, string>
}

const maxReleases = 200
const maxNotes = 64 * 1024

const Asset = z.object({ name: z.string(), browser_download_url: z.string() })
/** A release as GitHub lists it, without unused fields. */
const Listed = z.object({
  tag_name: z.string(),
  draft: z.optional(z.boolean()),
  prerelease: z.optional(z.boolean()),
  body: z.nullish(z.string()),
  published_at: z.nullish(z.string()),
  assets: z.optional(z.array(z.unknown())),
})

/** The releases in the list. An invalid entry does not hide the others. */
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
        // a publisher may mark any version as a preview, but cannot mark a prerelease version as final
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

/** Archives of other architectures are not usable. */
export const archiveName = (version: string, platform: string) => `pulse-v${version}-${platform}.tar.gz`

/** The highest newer version with an archive for this machine. */
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
