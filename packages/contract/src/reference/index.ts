import type * as contract from '../index.ts'
import type { Chapter, Reference } from './about.ts'
import { accounts, apiTokens, choices, sessions, singleSignOn } from './access.ts'
import { alerts } from './alerts.ts'
import { docker } from './docker.ts'
import { changes, keeping, links, lists, past, played, polling, state, trends } from './monitoring.ts'
import { connections, search, setupScripts, temperatures } from './nodes.ts'
import { notifications } from './notifications.ts'
import { backup, document, programs, self, systemSettings, versions } from './system.ts'

export type { AnyAbout, Chapter } from './about.ts'

const chapter = <Calls extends Chapter['calls']>(tag: string, description: string, calls: Calls) => ({
  tag,
  description,
  calls,
})

/** In reading order. */
const all = [
  chapter('State', 'Monitored records, and the health of Pulse.', {
    ...state,
    ...polling,
    ...lists,
    ...programs,
    ...document,
  }),
  chapter('History', 'Charts, the past of every figure, and past states.', {
    ...past,
    ...trends,
    ...changes,
    ...keeping,
    ...played,
  }),
  chapter('Alerts', 'Active alerts, the alert history and the alert configuration.', alerts),
  chapter('Notifications', 'Channels, and the delivery log.', notifications),
  chapter('Connections', 'The monitored servers.', connections),
  chapter('Setup of hosts', 'Scripts that prepare a server for monitoring.', setupScripts),
  chapter('Discovery', 'Servers in the network that are not monitored yet.', search),
  chapter('Temperatures', 'Temperatures of nodes, read over SSH.', temperatures),
  chapter('Container hosts', 'Container hosts, whose agents push reports.', docker),
  chapter('Guests', 'Links of guests.', links),
  chapter('Sign-in', 'Sessions and single sign-on.', {
    ...sessions,
    ...singleSignOn,
  }),
  chapter('Accounts', 'Users and the audit log.', { ...accounts, ...choices }),
  chapter('API tokens', 'Credentials for programs.', apiTokens),
  chapter('Settings', 'Settings of the whole installation.', systemSettings),
  chapter('Export and import', 'The configuration as one encrypted file.', backup),
  chapter('Updates', 'Newer releases, and the results of earlier updates.', versions),
  chapter('Diagnostics', 'Diagnostics for support.', self),
] as const

type NamesIn<C> = C extends { calls: infer Calls } ? keyof Calls : never
type Missing = Exclude<keyof Reference<typeof contract>, NamesIn<(typeof all)[number]>>

/** Every call needs a chapter, a summary and an example of each part. Without them this does not compile. */
export const chapters: [Missing] extends [never] ? readonly Chapter[] : { chapterFor: Missing } = all
