export interface ReleaseFile {
  name: string
  platform: string
  bytes: number
  /** hex */
  sha256: string
}

/** Makes a release of the current build in the folder `out`. */
export function makeRelease(how: {
  out: string
  /** default: the repository's version */
  version?: string
  platforms?: readonly string[]
  /** false: a third of the size, and the server provides no agents */
  agents?: boolean
  /** true: also archives for sites whose collectors have no database */
  collectors?: boolean
  /** file with an Ed25519 key (PEM); without it nothing is signed */
  keyFile?: string
  /** compression level, 1 to 9; default: 6 */
  level?: number
  /** modifies the folder of a platform before it is packed */
  change?: (folder: string) => void
}): Promise<{ version: string; build: string; files: ReleaseFile[] }>

/** Architectures in the names of archives, with Node's names. */
export const architectures: Record<string, string>
