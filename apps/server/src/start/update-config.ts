import path from 'node:path'
import { StartupError } from '../startup-error.ts'

export interface UpdateConfig {
  /** list of releases, as GitHub answers it; undefined: no server is asked */
  feed: string | undefined
  /** the slot that runs, of an installed release */
  releaseDir: string | undefined
}

export function readUpdateConfig(env: NodeJS.ProcessEnv): UpdateConfig {
  const feed = env['PULSE_UPDATE_SERVER']?.trim() || undefined
  const url = feed === undefined ? undefined : URL.parse(feed)
  if (url === null || (url && (!/^https?:$/.test(url.protocol) || url.username || url.password))) {
    throw new StartupError(
      'PULSE_UPDATE_SERVER is not the URL of a release feed.',
      'Give a URL such as https://api.github.com/repos/OWNER/NAME/releases, without a user name or password.',
    )
  }
  const releaseDir = env['PULSE_RELEASE_DIR']
  return { feed: url?.href, releaseDir: releaseDir ? path.resolve(releaseDir) : undefined }
}
