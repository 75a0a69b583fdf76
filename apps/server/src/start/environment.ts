import fs from 'node:fs'
import path from 'node:path'
import { parseEnv } from 'node:util'

/** Variables of the process, and under them those of the file `.env` in the data folder. */
export interface Environment {
  variables: NodeJS.ProcessEnv
  /** The file says something else now than at start: a restart is due. */
  isChanged(): boolean
}

export function readEnvironment(processEnv: NodeJS.ProcessEnv, dataDir: string): Environment {
  const { text, isChanged } = readWatched(path.join(dataDir, '.env'))
  return { variables: { ...(parseEnv(text) as NodeJS.ProcessEnv), ...processEnv }, isChanged }
}

/** A file as it is now, empty when there is none, and whether it says something else later. */
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
