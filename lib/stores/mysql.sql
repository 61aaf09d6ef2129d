-- The table of pidgate's flows. It can be run again, and by several at once.
CREATE TABLE IF NOT EXISTS `pidgate_flows` (
  id varbinary(255) NOT NULL PRIMARY KEY,
  version int unsigned NOT NULL,
  value mediumblob NOT NULL,
  expires_at datetime(3) NOT NULL,
  KEY expires_at (expires_at)
) ENGINE = InnoDB;
