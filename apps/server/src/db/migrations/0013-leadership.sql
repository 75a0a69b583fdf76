-- One row at most: the fence of the process that leads. Its writes hold only as long as it is its own.
CREATE TABLE leadership (
  id bigint PRIMARY KEY,
  fence text NOT NULL
);
