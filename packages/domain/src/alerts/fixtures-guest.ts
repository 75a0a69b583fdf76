import { aGuest } from '@pulse/testkit'

/** A guest with this CPU usage. */
export const busy = (cpu: number) => ({ guests: [aGuest({ cpu })] })
/** The alert about its CPU usage. */
export const CPU = 'main:100-cpu'

/** The guest when it is powered off, and when it runs. */
export const off = { guests: [aGuest({ status: 'stopped' })] }
export const on = { guests: [aGuest()] }
/** The alert about the guest that is powered off. */
export const OFF = 'guest-powered-off-main:100'
