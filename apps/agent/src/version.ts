/** Put in by the build; what runs from its sources is `dev` and never replaces itself. */
declare const AGENT_VERSION: string | undefined

export const version = typeof AGENT_VERSION === 'undefined' ? 'dev' : AGENT_VERSION

declare const RELEASE_KEYS: string | undefined

/** The publisher's key (PEM) that an agent of a newer release must be signed with; empty in an unsigned build, which accepts none. */
export const releaseKeys = typeof RELEASE_KEYS === 'undefined' ? '' : RELEASE_KEYS

/** How the program says which one it is; an update is tried with it before it takes its place. */
export const introduction = (of: string) => `pulse-docker-agent ${of}`
