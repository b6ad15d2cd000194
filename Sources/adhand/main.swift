print("adhand")
