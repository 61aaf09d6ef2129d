-- The table of pidgate's flows. It can be run again, and by several at once.
SELECT pg_advisory_xact_lock(31641077343679589);

CREATE TABLE IF NOT EXISTS "pidgate_flows" (
  id text COLLATE "C" PRIMARY KEY,
  version integer NOT NULL,
  value text NOT NULL,
  expires_at timestamptz NOT NULL
);

CREATE INDEX IF NOT EXISTS "pidgate_flows_expires_at" ON "pidgate_flows" (expires_at);
