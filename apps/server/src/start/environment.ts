import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

/** Variables of the process, which take precedence over the file `.env` in the data folder. */
export interface Environment {
  variables: NodeJS.ProcessEnv
  /** True if the file has changed since the start, so a restart is due. */
  isChanged(): boolean
}

export function readEnvironment(processEnv: NodeJS.ProcessEnv, dataDir: string): Environment {
  const { text, isChanged } = readWatched(path.join(dataDir, '.env'))
  return { variables: { ...(parseEnv(text) as NodeJS.ProcessEnv), ...processEnv }, isChanged }
}

/** The current text of a file, empty without one, and a check for later changes. */
export function readWatched(file: string): { text: string; isChanged(): boolean } {
  const read = () => (fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '')
  const text = read()
  let seen = { at: mtimeOf(file), changed: false }
  return {
    text,
    isChanged() {
      const at = mtimeOf(file)
      if (at !== seen.at) seen = { at, changed: read() !== text }
      return seen.changed
    },
  }
}

const mtimeOf = (file: string) => fs.statSync(file, { throwIfNoEntry: false })?.mtimeMs
