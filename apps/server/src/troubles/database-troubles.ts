import type { DatabaseEvent } from '../db/open.ts'
import type { Troubles } from './troubles.ts'

const THREAD = 'database-thread'
const STORAGE = 'storage'
const SERVER = 'database-server'

export interface DatabaseReturns {
  /** The database thread was restarted, so stored data is read again. */
  reload: () => void
  /** The disk accepts writes again. */
  storageIsBack: () => void
}

/** Reports events of the database to the administrator. */
export function databaseTroubles(
  troubles: Troubles,
  { reload, storageIsBack }: DatabaseReturns,
): (event: DatabaseEvent) => void {
  return (event) => {
    if ('thread' in event) {
      if (event.thread === 'ended') {
        troubles.begin(
          THREAD,
          `The database thread ended unexpectedly (${event.why}) and is being restarted. Monitoring continues; changes wait.`,
        )
        return
      }
      troubles.end(THREAD, 'The database thread ended unexpectedly and was restarted. The log says why.')
      reload()
      return
    }
    if ('server' in event) {
      if (event.server === 'away') {
        troubles.begin(
          SERVER,
          `The PostgreSQL server does not answer (${event.why}). Monitoring continues, but changes are not saved.`,
        )
        return
      }
      troubles.end(SERVER, 'The PostgreSQL server did not answer for a while. It is back.')
      reload()
      storageIsBack()
      return
    }
    if (event.storage === 'failing') {
      troubles.begin(
        STORAGE,
        `The data folder cannot be written (${event.why}). Monitoring continues, but changes are not saved: free some space.`,
      )
      return
    }
    troubles.end(STORAGE, 'The data folder could not be written for a while. It is writable again.')
    storageIsBack()
  }
}
