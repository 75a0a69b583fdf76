/** A setting that cannot be what it is meant to be. The message is for whoever wrote it, and never repeats a token. */
export class SettingsError extends Error {}
