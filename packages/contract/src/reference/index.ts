import type * as contract from '../index.ts'
import type { Chapter, Reference } from './about.ts'
import { accounts, apiTokens, choices, sessions, singleSignOn } from './access.ts'
import { alerts } from './alerts.ts'
import { docker } from './docker.ts'
import { links, lists, state } from './monitoring.ts'
import { connections, search, setupScripts, temperatures } from './nodes.ts'
import { notifications } from './notifications.ts'
import { backup, document, programs, self, systemSettings, versions } from './system.ts'

export type { AnyAbout, Chapter } from './about.ts'

const chapter = <Calls extends Chapter['calls']>(tag: string, description: string, calls: Calls) => ({
  tag,
  description,
  calls,
})

/** In the order in which a reader finds them. */
const all = [
  chapter('State', 'What is watched, and how Pulse itself is.', {
    ...state,
    ...lists,
    ...programs,
    ...document,
  }),
  chapter('Alerts', 'What is an alert, what was one, and what shall be one.', alerts),
  chapter('Notifications', 'Where alerts are sent, and what was sent.', notifications),
  chapter('Connections', 'The servers that are watched.', connections),
  chapter('Setup of hosts', 'Scripts that prepare a server for being watched.', setupScripts),
  chapter('Discovery', 'Servers in the network that are not added yet.', search),
  chapter('Temperatures', 'Temperatures of nodes, read over SSH.', temperatures),
  chapter('Container hosts', 'Hosts whose agents report by themselves.', docker),
  chapter('Guests', 'Links of guests.', links),
  chapter('Sign-in', 'Sessions, and the way through a provider of identities.', {
    ...sessions,
    ...singleSignOn,
  }),
  chapter('Accounts', 'Who may sign in, and what was done.', { ...accounts, ...choices }),
  chapter('API tokens', 'What programs show instead of a password.', apiTokens),
  chapter('Settings', 'Settings of the whole installation.', systemSettings),
  chapter('Export and import', 'The configuration as one sealed file.', backup),
  chapter('Updates', 'Newer releases, and the results of earlier updates.', versions),
  chapter('Diagnostics', 'What support needs to know.', self),
] as const

type NamesIn<C> = C extends { calls: infer Calls } ? keyof Calls : never
type Missing = Exclude<keyof Reference<typeof contract>, NamesIn<(typeof all)[number]>>

/** A call that no chapter has does not compile: it wants a summary, and an example of each of its parts. */
export const chapters: [Missing] extends [never] ? readonly Chapter[] : { chapterFor: Missing } = all
