export interface ReleaseFile {
  name: string
  platform: string
  bytes: number
  /** hex */
  sha256: string
}

/** Makes a release of what is built, in the folder `out`. */
export function makeRelease(how: {
  out: string
  /** that of the repository when absent */
  version?: string
  platforms?: readonly string[]
  /** false: a third of the size, and it hands none out */
  agents?: boolean
  /** an Ed25519 key as PEM; nothing is signed without */
  keyFile?: string
  /** of compression, 1 to 9; 6 when absent */
  level?: number
  /** alters the folder of a platform before it is packed */
  change?: (folder: string) => void
}): Promise<{ version: string; build: string; files: ReleaseFile[] }>

/** As names of archives say it, and Node. */
export const architectures: Record<string, string>
