/** Set by the build. `dev` runs from its sources and never replaces itself. */
declare const AGENT_VERSION: string | undefined

export const version = typeof AGENT_VERSION === 'undefined' ? 'dev' : AGENT_VERSION

declare const RELEASE_KEYS: string | undefined

/**
 * The publisher's key (PEM), which must have signed a newer agent. Empty in an unsigned build, which accepts
 * no update.
 */
export const releaseKeys = typeof RELEASE_KEYS === 'undefined' ? '' : RELEASE_KEYS

/** The output of --version. It verifies an update before the update replaces the program. */
export const introduction = (of: string) => `pulse-docker-agent ${of}`
