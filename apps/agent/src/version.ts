/** Set by the build. `dev` runs from its sources and never replaces itself. */
declare const AGENT_VERSION: string | undefined

export const version = typeof AGENT_VERSION === 'undefined' ? 'dev' : AGENT_VERSION

declare const RELEASE_KEYS: string | undefined

/** The publisher's key (PEM) that an agent of a newer release must be signed with; empty in an unsigned build, which accepts none. */
export const releaseKeys = typeof RELEASE_KEYS === 'undefined' ? '' : RELEASE_KEYS

/** The output of --version, by which an update is verified before it replaces the program. */
export const introduction = (of: string) => `pulse-docker-agent ${of}`
