#!/bin/sh
# Runs once, when the database is made: the role that the service uses owns nothing, so it can neither change nor
# delete an event; `podesta migrate` grants it what it needs.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
CREATE ROLE podesta_service LOGIN PASSWORD :'password';
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
SQL
