-- The last notification of each channel about an alert episode, as JSON.
ALTER TABLE told_alerts RENAME TO notification_log;
ALTER TABLE notification_log RENAME COLUMN told TO entry;
